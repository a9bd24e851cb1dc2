import { fees, PRICED_ADVANCE } from './terms-of-business.ts';
import classes from './text-page.module.css';

/** The price of each period, with an example in figures. */
export function FeesTable() {
  return (
    <table className={classes.fees}>
      <caption>If you apply for UGX {PRICED_ADVANCE}</caption>
      <thead>
        <tr>
          <th scope="col">Period</th>
          <th scope="col">Fee rate</th>
          <th scope="col">Fee (UGX)</th>
          <th scope="col">You receive (UGX)</th>
        </tr>
      </thead>
      <tbody>
        {fees.map(({ period, rate, fee, received }) => (
          <tr key={period}>
            <th scope="row">{period}</th>
            <td>{rate}</td>
            <td>{fee}</td>
            <td>{received}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
