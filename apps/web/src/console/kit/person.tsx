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
    <span className="flex min-w-0 items-center gap-2">
      <Avatar name={person.name} size={size} staff={staff === true} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <b className="font-semi truncate">{plain(person.name)}</b>
          {tag}
        </span>
        <span className="text-xs text-muted truncate block">{below ?? plain(person.email ?? '')}</span>
      </span>
    </span>
  )
}
