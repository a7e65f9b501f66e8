import { useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys, writeStored } from '../lib/http/storage.ts'

export type Theme = 'light' | 'dark'

/** Returns the chosen theme; defaults to light (BR-07, CO-09). */
const readTheme = (): Theme => (readStored(storageKeys.theme) === 'dark' ? 'dark' : 'light')

function show(): void {
  document.body.classList.toggle('dark', readTheme() === 'dark')
}

/** Applies the stored theme and follows changes in this and other tabs (ST-30 to ST-32). */
export function followTheme(): () => void {
  show()
  return onStored(show)
}

/** Returns the theme and its toggle. */
export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore(onStored, readTheme, (): Theme => 'light')
  return [theme, () => writeStored({ [storageKeys.theme]: theme === 'dark' ? 'light' : 'dark' })]
}
