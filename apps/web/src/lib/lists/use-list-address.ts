import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { DayRange } from './list-source.ts'
import { type ReceiptRef, readReceiptText } from '../receipts/receipt-link.ts'

/** Returns true for calendar days; other values in the URL set no range. */
function isDay(text: string): boolean {
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

export interface ListAddress {
  page: number
  range: DayRange
  /** Receipt from the link. */
  receipt: ReceiptRef | undefined
  setPage: (page: number) => void
  /** Resets to the first page. */
  setRange: (range: DayRange) => void
  closeReceipt: () => void
}

function write(changes: Readonly<Record<string, string>>, replace: boolean): void {
  const params = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const search = params.toString()
  navigate(`${location.pathname}${search === '' ? '' : `?${search}`}`, { replace })
}

/** Keeps a list's page, days and open receipt in the URL: `?page=2&from=2026-01-01&to=2026-01-31&receipt=…`. */
export function useListAddress(): ListAddress {
  const params = new URLSearchParams(useSearch())
  const day = (name: string): string => {
    const text = params.get(name) ?? ''
    return isDay(text) ? text : ''
  }
  const page = params.get('page') ?? ''
  return {
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    range: { from: day('from'), to: day('to') },
    receipt: readReceiptText(params.get('receipt')),
    setPage: (next) => write({ page: next === 1 ? '' : String(next) }, false),
    setRange: (range) => write({ from: range.from, to: range.to, page: '' }, true),
    closeReceipt: () => write({ receipt: '' }, true),
  }
}
