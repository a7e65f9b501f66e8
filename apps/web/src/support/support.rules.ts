import { MESSAGE_MAX_LENGTH, TITLE_MAX_LENGTH, UPLOAD_MAX_BYTES } from '@tizara/contract'
import { t } from '@tizara/languages'
import { messages } from './support.messages.ts'

/** Returns true if a ticket accepts no more messages (EN-51, ST-61). */
export const isClosed = (ticket: { status: string }): boolean => ticket.status === 'CLOSED'

/** `USER` is the member, shown on the left; every other role is on the right (UI-TICKET-03, RO-13). */
export const isMember = (role: string): boolean => role === 'USER'

/** Types accepted by the server (UI-NEWTICKET-04). */
export const TICKET_IMAGE_TYPES = 'image/jpeg,image/png,image/webp'

/** Checks a file's size; no file passes (VA-84 to VA-87). */
export function fileError(file: File | null): string | undefined {
  return file !== null && file.size > UPLOAD_MAX_BYTES ? messages.tooLarge : undefined
}

export interface TicketDraft {
  title: string
  description: string
  image: File | null
}

const textError = (text: string, max: number): string | undefined =>
  text.trim() === '' ? messages.required : text.trim().length > max ? t('Maximum length is {max}', { max }) : undefined

/** Keeps only fields with an error. */
function fieldErrors<Key extends string>(found: Readonly<Record<Key, string | undefined>>): Partial<Record<Key, string>> {
  const wrong: Partial<Record<Key, string>> = {}
  for (const key in found) if (found[key] !== undefined) wrong[key] = found[key]
  return wrong
}

/**
 * Validates a new ticket (VA-79 to VA-81, VA-84).
 * @param suffixLength number of characters that the page adds to the description
 */
export const draftErrors = (draft: TicketDraft, suffixLength: number): Partial<Record<keyof TicketDraft, string>> =>
  fieldErrors({
    title: textError(draft.title, TITLE_MAX_LENGTH),
    description: textError(draft.description, MESSAGE_MAX_LENGTH - suffixLength),
    // An empty file counts as missing, as on the server.
    image: draft.image === null || draft.image.size === 0 ? messages.required : fileError(draft.image),
  })

/** Validates a reply (VA-82 to VA-84). */
export const replyErrors = (reply: { message: string; image: File | null }): Partial<Record<'message' | 'image', string>> =>
  fieldErrors({ message: textError(reply.message, MESSAGE_MAX_LENGTH), image: fileError(reply.image) })
