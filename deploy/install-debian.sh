#!/bin/sh
# From a clean Debian 13 to a service that runs, is enabled, watched and backed up, with its first administrator:
#
#   git clone … /srv/kasente
#   sh /srv/kasente/deploy/install-debian.sh kasente.example you@example.com
#
# As root. It asks for the administrator's password, or reads it from standard input. What is there is left as it is, so that
# it can be run again: settings, certificate, database, an administrator. Each step stands in docs/operations.md.
set -eu

domain=${1:?which name people reach it by, such as kasente.example}
administrator=${2:?the email address of the first administrator}
here=/srv/kasente
settings=/etc/kasente/kasente.env
cd "$here"

say() { printf '\n== %s\n' "$1"; }

say 'Packages'
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends ca-certificates curl openssl nodejs npm postgresql nginx prometheus

say 'Kasente'
node scripts/ensure-install.mjs
node scripts/ensure-build.mjs
id kasente >/dev/null 2>&1 || useradd --system --home-dir /var/lib/kasente --shell /usr/sbin/nologin kasente
install -d -o kasente -g kasente -m 0700 /var/backups/kasente

say 'Settings'
if [ ! -e "$settings" ]; then
  install -d -m 0755 /etc/kasente
  owner=$(openssl rand -hex 24) server=$(openssl rand -hex 24)
  (
    umask 077
    sed -e "s|kasente\.example|$domain|" \
      -e "s|kasente:CHANGE-ME|kasente:$owner|" -e "s|kasente_server:CHANGE-ME|kasente_server:$server|" \
      -e "s|^SECRET_KEY=CHANGE-ME|SECRET_KEY=$(openssl rand -hex 32)|" \
      -e "s|^METRICS_TOKEN=CHANGE-ME|METRICS_TOKEN=$(openssl rand -hex 32)|" deploy/kasente.env >"$settings"
  )
  echo "Keep the SECRET_KEY of $settings in another place than the backups."
fi
set -a
# shellcheck source=/dev/null
. "$settings"
set +a

say 'Database'
password() { echo "$1" | sed 's|.*://[^:]*:\([^@]*\)@.*|\1|'; }
has() { runuser -u postgres -- psql -tAc "$1" ${2:+"$2"} | grep -q 1; }
has "select 1 from pg_roles where rolname = 'kasente_server'" || runuser -u postgres -- psql -1 -v ON_ERROR_STOP=1 -f - <<SQL
create role kasente login password '$(password "$DATABASE_OWNER_URL")';
create role kasente_client nologin;
create role kasente_server login noinherit password '$(password "$DATABASE_URL")';
grant kasente_client to kasente, kasente_server;
SQL
has "select 1 from pg_database where datname = 'kasente'" || runuser -u postgres -- createdb --owner=kasente kasente

say 'Service and backups'
cp deploy/systemd/* /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now kasente@3000 kasente@3001 kasente-backup.timer
for port in 3000 3001; do
  curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz" >/dev/null
  echo "kasente@$port is ready"
done

say 'The first administrator'
has "select 1 from persons where permissions @> array['KADMIN']" kasente ||
  runuser -u kasente -- node_modules/.bin/node scripts/user.ts create --username "$administrator" --admin

say 'A first backup'
systemctl start kasente-backup.service
ls /var/backups/kasente

say 'nginx'
if [ ! -e /etc/ssl/kasente/fullchain.pem ]; then
  install -d -m 0700 /etc/ssl/kasente
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$domain" \
    -addext "subjectAltName=DNS:$domain" -keyout /etc/ssl/kasente/key.pem -out /etc/ssl/kasente/fullchain.pem
  echo "No browser trusts this certificate: replace the two files of /etc/ssl/kasente, then systemctl reload nginx."
fi
sed "s|kasente\.example|$domain|" deploy/nginx.conf >/etc/nginx/conf.d/kasente.conf
nginx -t
systemctl enable nginx
systemctl reload-or-restart nginx

say 'Prometheus'
(umask 077 && printf %s "$METRICS_TOKEN" >/etc/prometheus/kasente.token)
chown prometheus /etc/prometheus/kasente.token
cp deploy/prometheus.yml /etc/prometheus/prometheus.yml
cp deploy/prometheus-rules.yml /etc/prometheus/kasente-rules.yml
promtool check config /etc/prometheus/prometheus.yml
systemctl enable prometheus
systemctl restart prometheus

echo "Alerts stand at http://127.0.0.1:9090/alerts. For somebody to be told, set up an Alertmanager at 127.0.0.1:9093."

say "Kasente runs at https://$domain"
