/** A line of the text, to be shown there. */
export function Line({ number, go }: { number: number; go: (line: number) => void }) {
  return (
    <button type="button" className="button link small" onClick={() => go(number)} aria-label={`Show line ${number}`}>
      {number}
    </button>
  );
}
