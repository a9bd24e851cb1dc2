import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** The blank margin that a reader needs around the code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text as a QR code, dark on white in either colour scheme, because not every reader accepts inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={classes.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={dark.join('')} />
    </svg>
  );
}
