/** A column's head: its name, and the class of its cells; `sr` is a head that is only read out. */
export type Head = string | readonly [name: string, className: string]

export const Heads = ({ of }: { of: readonly Head[] }) => (
  <thead>
    <tr>
      {of.map((head) => {
        const [name, className] = typeof head === 'string' ? [head] : head
        return (
          <th key={name} scope="col" className={className === 'sr' ? undefined : className}>
            {className === 'sr' ? <span className="sr">{name}</span> : name}
          </th>
        )
      })}
    </tr>
  </thead>
)
