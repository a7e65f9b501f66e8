import { TITLE_MAX_LENGTH } from '@tizara/contract'
import type { ReceiptKind } from '@tizara/contract/wallets'

export interface ReceiptRef {
  kind: ReceiptKind
  id: string
}

/** Formats a receipt reference for `?receipt=`. */
const receiptText = (ref: ReceiptRef): string => `${ref.kind}.${ref.id}`

/** Parses `?receipt=`; undefined if malformed. The server checks the kind. */
export function readReceiptText(text: string | null): ReceiptRef | undefined {
  const [, kind = '', id = ''] = /^([a-z]+(?:-[a-z]+){0,5})\.([A-Za-z0-9_-]{1,64})$/.exec(text ?? '') ?? []
  return id === '' ? undefined : { kind: kind as ReceiptKind, id }
}

/** Returns the page URL with the receipt open. */
export function receiptHref(path: string, ref: ReceiptRef | null | undefined): string {
  return ref ? `${path}?receipt=${encodeURIComponent(receiptText(ref))}` : path
}

/** Maximum description length in a link, in characters. */
const DESCRIPTION_MAX = 1500

/** Initial ticket content about a row. */
export interface ProblemReport {
  title: string
  description: string
  /** Row reference that our server attaches; undefined if the row has no receipt. */
  about?: string | undefined
}

/** Returns the URL for a new ticket with a row attached. */
export function reportProblemHref(subject: string, lines: readonly string[], row?: ReceiptRef): string {
  const query = new URLSearchParams({
    title: `Problem: ${subject}`.slice(0, TITLE_MAX_LENGTH),
    description: lines.join('\n').slice(0, DESCRIPTION_MAX),
    ...(row === undefined ? {} : { about: receiptText(row) }),
  })
  return `/create-ticket?${query.toString()}`
}

/** Parses a URL from {@link reportProblemHref}. */
export function readProblemReport(search: string): ProblemReport {
  const query = new URLSearchParams(search)
  const row = readReceiptText(query.get('about'))
  return {
    title: (query.get('title') ?? '').slice(0, TITLE_MAX_LENGTH),
    description: (query.get('description') ?? '').slice(0, DESCRIPTION_MAX),
    ...(row === undefined ? {} : { about: receiptText(row) }),
  }
}
