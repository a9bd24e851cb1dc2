import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A self-signed certificate for localhost, valid until 2126, only for tests. */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf1UPkf1+n+5sKw74
OFUKhNOCqu6IgUw58RSd3ZGva6ChRANCAAQ5dhNkfHmmoqch1sXEf0OLjx6H8GVI
n1qyaQkyprLxzacbGel8YqlFEz7wu4BvnGvaycSFReuDe06yrUXvuyxn
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUazvXpAI3Jdn3EwUbYw1di4C7HXYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDExMjEyN1oYDzIxMjYxMDI3
MTEyMTI3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ5dhNkfHmmoqch1sXEf0OLjx6H8GVIn1qyaQkyprLxzacbGel8YqlF
Ez7wu4BvnGvaycSFReuDe06yrUXvuyxno28wbTAdBgNVHQ4EFgQUW82bdseb9BZ1
JkWqLwUAwBuynjcwHwYDVR0jBBgwFoAUW82bdseb9BZ1JkWqLwUAwBuynjcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALcEceHOXycezsWJrCwY/b+NiRNp1sWCJCQcLTPdGPbbAiEA
yxtuxyXBSDqLGfIOTUalaGN28CtOQcoQ+NG9ggoyBco=
-----END CERTIFICATE-----
`,
};

/** Makes this process trust the certificate from now on. */
export function trustTestCertificate(): void {
  setDefaultCACertificates([...getCACertificates('default'), testCertificate.cert]);
}
