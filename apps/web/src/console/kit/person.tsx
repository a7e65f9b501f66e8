import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import { plain } from './strip-control-characters.ts'

export interface PersonProps {
  person: { name: string; email?: string }
  /** Square avatar: a staff member. */
  staff?: boolean
  size?: '' | 's' | 'm'
  tag?: ReactNode
  /** Shown instead of the email address. */
  below?: ReactNode
}

/** Shows a person's name with the email address below, as plain text. */
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
