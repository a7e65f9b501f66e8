import { MESSAGE_MAX_LENGTH, TITLE_MAX_LENGTH, UPLOAD_MAX_BYTES } from '@tizara/contract'
import { messages } from './support.messages.ts'

/** Whether a ticket takes no more messages (EN-51, ST-61). */
export const isClosed = (ticket: { status: string }): boolean => ticket.status === 'CLOSED'

/** `USER` is the member and stands at the left, every other role at the right (UI-TICKET-03, RO-13). */
export const isMember = (role: string): boolean => role === 'USER'

/** What the server takes (UI-NEWTICKET-04). */
export const TICKET_PICTURES = 'image/jpeg,image/png,image/webp'

/** The size check of a chosen file: nothing chosen passes it (VA-84 to VA-87). */
export function fileFault(file: File | null): string | undefined {
  return file !== null && file.size > UPLOAD_MAX_BYTES ? messages.tooLarge : undefined
}

export interface TicketDraft {
  title: string
  description: string
  image: File | null
}

const textFault = (text: string, max: number): string | undefined =>
  text.trim() === '' ? messages.required : text.trim().length > max ? `Maximum length is ${max}` : undefined

/** Only the fields that have a fault. */
function faults<Key extends string>(found: Readonly<Record<Key, string | undefined>>): Partial<Record<Key, string>> {
  const wrong: Partial<Record<Key, string>> = {}
  for (const key in found) if (found[key] !== undefined) wrong[key] = found[key]
  return wrong
}

/** What is wrong with a new ticket (VA-79 to VA-81, VA-84). */
export const draftFaults = (draft: TicketDraft, attached: number): Partial<Record<keyof TicketDraft, string>> =>
  faults({
    title: textFault(draft.title, TITLE_MAX_LENGTH),
    description: textFault(draft.description, MESSAGE_MAX_LENGTH - attached),
    // An empty file is no picture; the server reads it as none.
    image: draft.image === null || draft.image.size === 0 ? messages.required : fileFault(draft.image),
  })

/** What is wrong with a reply (VA-82 to VA-84). */
export const replyFaults = (reply: { message: string; image: File | null }): Partial<Record<'message' | 'image', string>> =>
  faults({ message: textFault(reply.message, MESSAGE_MAX_LENGTH), image: fileFault(reply.image) })
