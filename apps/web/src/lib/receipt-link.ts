import { TITLE_MAX_LENGTH } from '@tizara/contract'
import type { ReceiptKind } from '@tizara/contract/wallets'

export interface ReceiptRef {
  kind: ReceiptKind
  id: string
}

/** A receipt's name as it stands in `?receipt=`. */
const receiptText = (ref: ReceiptRef): string => `${ref.kind}.${ref.id}`

/** Reads `?receipt=`; undefined when it names none. Whether there is such a kind, the server knows. */
export function readReceiptText(text: string | null): ReceiptRef | undefined {
  const [, kind = '', id = ''] = /^([a-z]+(?:-[a-z]+){0,5})\.([A-Za-z0-9_-]{1,64})$/.exec(text ?? '') ?? []
  return id === '' ? undefined : { kind: kind as ReceiptKind, id }
}

/** The address of a receipt: a page that opens it. */
export function receiptHref(path: string, ref: ReceiptRef | null | undefined): string {
  return ref ? `${path}?receipt=${encodeURIComponent(receiptText(ref))}` : path
}

/** Longest description that a link carries. */
const DESCRIPTION_MAX = 1500

/** What a ticket about a row begins with. */
export interface ProblemReport {
  title: string
  description: string
  /** The row itself, which our server attaches; undefined when the row has no receipt. */
  about?: string | undefined
}

/** The address of a new ticket with a row attached. */
export function reportProblemHref(subject: string, lines: readonly string[], row?: ReceiptRef): string {
  const query = new URLSearchParams({
    title: `Problem: ${subject}`.slice(0, TITLE_MAX_LENGTH),
    description: lines.join('\n').slice(0, DESCRIPTION_MAX),
    ...(row === undefined ? {} : { about: receiptText(row) }),
  })
  return `/create-ticket?${query.toString()}`
}

/** Reads what {@link reportProblemHref} wrote. */
export function readProblemReport(search: string): ProblemReport {
  const query = new URLSearchParams(search)
  const row = readReceiptText(query.get('about'))
  return {
    title: (query.get('title') ?? '').slice(0, TITLE_MAX_LENGTH),
    description: (query.get('description') ?? '').slice(0, DESCRIPTION_MAX),
    ...(row === undefined ? {} : { about: receiptText(row) }),
  }
}
