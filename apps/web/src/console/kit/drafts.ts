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

/** Keeps what was typed for an item until it is sent: in this tab, through a new sign-in of the same person. */
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

/** Forgets what was typed in a place: it was sent. */
export const dropDraft = (place: string): void => keepDraft(place, '')

/** What is typed in a place; another place has another draft. */
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
