import { Avatar } from './avatar.tsx'
import { plain } from './strip-control-characters.ts'
import type { Colleague, PresenceActivity } from './presence.ts'

/** After `is` or `are`. */
const DOES: Readonly<Record<PresenceActivity, string>> = { viewing: 'here too', writing: 'writing', noting: 'writing an internal note' }

/** Square avatars of colleagues in a row. */
export function PresenceMarks({ people }: { people: readonly Colleague[] }) {
  return people.map((one) => {
    const label = `${plain(one.name)} is ${one.activity === 'viewing' ? 'here' : DOES[one.activity]}`
    return (
      <span key={one.id} title={label}>
        <Avatar name={one.name} size="s" staff />
        <span className="sr-only">{label}</span>
      </span>
    )
  })
}

/** Describes colleagues present: `Ruth and Tomas are here too`. Those writing come first. */
export function PresenceLine({ people }: { people: readonly Colleague[] }) {
  const activity = (['writing', 'noting', 'viewing'] as const).find((one) => people.some((person) => person.activity === one)) ?? 'viewing'
  const named = people.filter((one) => one.activity === activity)
  const names = named.map((one) => plain(one.name).split(' ')[0]).join(' and ')
  return (
    <output className="inline-flex items-center gap-1.5 text-xs text-muted">
      <PresenceMarks people={people} />
      {named.length > 0 && (
        <span aria-hidden="true">
          {names} {named.length > 1 ? 'are' : 'is'} {DOES[activity]}
        </span>
      )}
    </output>
  )
}
