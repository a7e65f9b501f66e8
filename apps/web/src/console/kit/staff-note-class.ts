/** Classes of an internal note of staff. */
export const STAFF_NOTE =
  'rounded-[9px] border border-dashed border-[color-mix(in_oklch,var(--warning-line)_70%,transparent)] bg-warning-soft px-3 py-[9px]'
