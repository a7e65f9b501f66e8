import { useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys, writeStored } from '../lib/storage.ts'

export type Theme = 'light' | 'dark'

/** The chosen theme, light when none was chosen (BR-07, CO-09). */
const readTheme = (): Theme => (readStored(storageKeys.theme) === 'dark' ? 'dark' : 'light')

function show(): void {
  document.body.classList.toggle('dark', readTheme() === 'dark')
}

/** Puts the stored theme on the page and follows changes of this and other tabs (ST-30 to ST-32). */
export function followTheme(): () => void {
  show()
  return onStored(show)
}

/** The theme and its switch. */
export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore(onStored, readTheme, (): Theme => 'light')
  return [theme, () => writeStored({ [storageKeys.theme]: theme === 'dark' ? 'light' : 'dark' })]
}
