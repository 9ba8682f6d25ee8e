import type { Choice } from "../logic/curves";

/** Picks one of the measured quantities; words alone where there is nothing to pick. */
export function ChoiceOf({
  label,
  available,
  choice,
  onPicked,
}: {
  label: string;
  available: readonly Choice[];
  choice: Choice | undefined;
  onPicked: (id: string) => void;
}) {
  return (
    <select
      className="input"
      aria-label={label}
      value={choice?.id ?? ""}
      onChange={(event) => onPicked(event.target.value)}
    >
      {available.map((entry) => (
        <option key={entry.id} value={entry.id}>
          {entry.id}
        </option>
      ))}
    </select>
  );
}
