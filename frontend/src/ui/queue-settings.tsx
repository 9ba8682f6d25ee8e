import type { DeviceOffer } from "../api/types";
import { Scroll } from "../ui/scroll";

/** What may be set of a device's request queue under one scheduler, with the default over this device and its source. */
export function QueueSettings({ device, scheduler }: { device: DeviceOffer; scheduler: string }) {
  return (
    <Scroll label={`Settings of ${scheduler} on ${device.name}`}>
      <table className="data">
        <caption className="mono">{scheduler}</caption>
        <thead>
          <tr>
            <th scope="col">setting</th>
            <th scope="col" className="number">
              default
            </th>
            <th scope="col">unit</th>
            <th scope="col">range</th>
            <th scope="col">meaning</th>
            <th scope="col">source</th>
          </tr>
        </thead>
        <tbody>
          {(device.settings[scheduler] ?? []).map((setting) => (
            <tr key={setting.name}>
              <th scope="row" className="mono" style={{ fontWeight: 400 }}>
                {setting.name}
              </th>
              <td className="number">{setting.value}</td>
              <td className="soft">{setting.unit}</td>
              <td className="soft nowrap">
                {setting.low} to {setting.high}
              </td>
              <td>{setting.meaning}</td>
              <td className="small soft">{setting.source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
