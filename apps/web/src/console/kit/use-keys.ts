import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Storage key of the single-letter shortcut setting. A person may turn them off (WCAG 2.1.4). */
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
    // Without storage the shortcuts stay on.
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
 * Binds a view's keys by name (`j`, `Shift+J`, `mod+Enter`). Letters are ignored in fields, in dialogs and when turned off; `mod`
 * keys work in fields too.
 * @param keys the keys, or a function read at each press
 * @param before whether they take precedence over the view's keys
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
