const STROKE = {
  viewBox: "0 0 16 16",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": true,
} as const;

const PATHS = {
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  equals: "M3 6h10M3 10.5h10",
  question: "M5.2 5.6a2.9 2.9 0 1 1 4.2 2.9c-.9.5-1.4 1-1.4 2M8 13.4v.1",
  clock: "M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
  play: "M5 3.5v9l7-4.5z",
  stop: "M4 4h8v8H4z",
  sun: "M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  moon: "M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.1M6.6 7h.1M9.3 7h.1M12 7h.1M5 9.3h6",
  plus: "M8 3v10M3 8h10",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg {...STROKE}>
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 1 31 16 16 31 1 16z" fill="var(--variant-0)" />
      <path d="M16 5 21 16H11z" fill="#e69f00" />
      <path d="M11 16h10l-5 11z" fill="#dfe7ee" />
    </svg>
  );
}
