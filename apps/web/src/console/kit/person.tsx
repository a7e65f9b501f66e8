import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import { plain } from './strip-control-characters.ts'

export interface PersonProps {
  person: { name: string; email?: string }
  /** Square: somebody of the house. */
  staff?: boolean
  size?: '' | 's' | 'm'
  tag?: ReactNode
  /** In place of the mail. */
  below?: ReactNode
}

/** Somebody with name and, below it, mail: as text, whatever stands in it. */
export function Person({ person, staff, size = 'm', tag, below }: PersonProps) {
  return (
    <span className="row">
      <Avatar name={person.name} size={size} staff={staff === true} />
      <span className="grow">
        <span className="row">
          <b className="b tr">{plain(person.name)}</b>
          {tag}
        </span>
        <span className="sm mut tr" style={{ display: 'block' }}>
          {below ?? plain(person.email ?? '')}
        </span>
      </span>
    </span>
  )
}
