import { type ComponentType, lazy } from 'react'

/** Props for an open modal. */
export interface DialogProps {
  onClose: () => void
  /** Initial values of the fields, for example those of a transfer that is repeated. */
  start?: Readonly<Record<string, string>> | undefined
}

/** Modal whose code loads on first use, or earlier by `load`. */
export const lazyDialog = (load: () => Promise<{ default: ComponentType<DialogProps> }>) => ({ Dialog: lazy(load), load })
