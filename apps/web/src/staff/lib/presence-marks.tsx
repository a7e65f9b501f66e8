import { Avatar } from './avatar.tsx'
import { plain } from './plain.ts'
import type { Colleague } from './presence.ts'

/** Square avatars of colleagues in a row. */
export function PresenceMarks({ people }: { people: readonly Colleague[] }) {
  return people.map((one) => (
    <span key={one.id} title={`${plain(one.name)} ${one.doing === 'writing' ? 'is writing' : 'is here'}`}>
      <Avatar name={one.name} size="s" staff />
      <span className="sr">
        {plain(one.name)} {one.doing === 'writing' ? 'is writing' : 'is here'}
      </span>
    </span>
  ))
}

/** Who is here, in words: `Ruth and Tomas are looking at this too`. */
export function PresenceLine({ people }: { people: readonly Colleague[] }) {
  const writing = people.filter((one) => one.doing === 'writing')
  const named = writing.length > 0 ? writing : people
  const names = named.map((one) => plain(one.name).split(' ')[0]).join(' and ')
  return (
    <output className="pres">
      <PresenceMarks people={people} />
      {named.length > 0 && (
        <span aria-hidden="true">
          {names} {named.length > 1 ? 'are' : 'is'} {writing.length > 0 ? 'writing' : 'here too'}
        </span>
      )}
    </output>
  )
}
