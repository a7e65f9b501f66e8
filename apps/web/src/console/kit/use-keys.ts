import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Whether single letters are keys; a person may switch them off (WCAG 2.1.4). */
const KEY = 'staff-letters'
const listeners = new Set<() => void>()

const lettersOn = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function setLetters(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off')
  } catch {
    // Then they stay on.
  }
  for (const listener of listeners) listener()
}

export const useLetters = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, lettersOn)

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

type Keys = Readonly<Record<string, (() => void) | undefined>>

/**
 * Keys of a view by their name (`j`, `Shift+J`, `mod+Enter`). Letters act only where nobody types, in no dialog and unless
 * they are switched off; those with `mod` act in fields too.
 * @param keys as they are drawn, or asked for at each press
 * @param before whether they come before those of the view
 */
export function useKeys(keys: Keys | (() => Keys), before = false): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
      const mod = event.metaKey || event.ctrlKey
      const name = mod
        ? `mod+${event.key}`
        : event.shiftKey && event.key.length === 1 && /[a-z]/i.test(event.key)
          ? `Shift+${event.key.toUpperCase()}`
          : event.key
      const map = typeof latest.current === 'function' ? latest.current() : latest.current
      const act = map[name.length === 1 ? name.toLowerCase() : name]
      if (act === undefined || (!mod && event.key !== 'Escape' && (isField(event.target) || !lettersOn()))) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press, { capture: before })
    return () => removeEventListener('keydown', press, { capture: before })
  }, [before])
}
