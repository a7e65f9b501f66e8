import { type ComponentType, lazy } from 'react'

/** What a modal gets that stands as long as it is open. */
export interface DialogProps {
  onClose: () => void
}

/** A modal whose code is fetched when it is first wanted, or ahead of that by `load`. */
export const laterDialog = (load: () => Promise<{ default: ComponentType<DialogProps> }>) => ({ Dialog: lazy(load), load })
