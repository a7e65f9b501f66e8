import { texts } from '@tizara/languages'

/** Exact support texts, misspellings included, each with its requirement row. */
export const messages = texts({
  /** VA-01, VA-79 to VA-82 */
  required: 'This field is required',
  /** VA-84, ER-69 */
  tooLarge: 'File size should be less than 1 MB',
  /** ER-55, UI-TICKET-08: default when the server sends no message. */
  failed: 'An error occurred',
  /** ER-56 */
  created: 'Successfully ticket created',
  /** ER-57 */
  closed: 'Successfully closed',
  /** ER-58 */
  closeFailed: 'Somthing wrong',
  /** UI-TICKET-05 */
  markClosed: 'Mark it close',
})
