import { useCallback, useState } from 'react'

const KEY = 'staff-drafts'

function readAll(): Record<string, string> {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, string>) : {}
  } catch {
    return {}
  }
}

/** Keeps typed text for an item until it is sent. It stays in this tab, even after the same person signs in again. */
function keepDraft(place: string, text: string): void {
  const all = readAll()
  if (text === '') delete all[place]
  else all[place] = text
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // Without storage a draft lasts as long as the page.
  }
}

/** Deletes the draft of a place after it was sent. */
export const dropDraft = (place: string): void => keepDraft(place, '')

/** Reads and writes the draft of a place. Each place has its own draft. */
export function useDraft(place: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState<{ place: string; text: string }>({ place, text: readAll()[place] ?? '' })
  const text = typed.place === place ? typed.text : (readAll()[place] ?? '')
  const write = useCallback(
    (next: string) => {
      keepDraft(place, next)
      setTyped({ place, text: next })
    },
    [place],
  )
  return [text, write]
}
