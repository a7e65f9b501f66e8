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
function saveDraft(key: string, text: string): void {
  const all = readAll()
  if (text === '') delete all[key]
  else all[key] = text
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // Without storage a draft lasts as long as the page.
  }
}

/** Deletes a draft after it was sent. */
export const deleteDraft = (key: string): void => saveDraft(key, '')

/** Reads and writes the draft with this key. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState<{ key: string; text: string }>({ key, text: readAll()[key] ?? '' })
  const text = typed.key === key ? typed.text : (readAll()[key] ?? '')
  const write = useCallback(
    (next: string) => {
      saveDraft(key, next)
      setTyped({ key, text: next })
    },
    [key],
  )
  return [text, write]
}
