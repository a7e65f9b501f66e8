const KIND = { num: 'text-end', hide: 'max-md:hidden', 'num hide': 'text-end max-md:hidden', sr: undefined } as const

/** Head of a column: its name and kind (numeric, hidden on phones, or for screen readers only). */
export type Head = string | readonly [name: string, kind: keyof typeof KIND]

export const Heads = ({ columns }: { columns: readonly Head[] }) => (
  <thead>
    <tr>
      {columns.map((head) => {
        const [name, kind] = typeof head === 'string' ? [head] : head
        return (
          <th key={name} scope="col" className={kind === undefined ? undefined : KIND[kind]}>
            {kind === 'sr' ? <span className="sr-only">{name}</span> : name}
          </th>
        )
      })}
    </tr>
  </thead>
)
