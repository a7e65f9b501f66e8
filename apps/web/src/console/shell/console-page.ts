import type { ComponentType } from 'react'

/** Sections of the menu, in their order. The first has no heading. */
export const sections = ['Start', 'Work', 'People', 'Platform', 'Audit'] as const

/**
 * Declaration of a console page in its `page.ts`. Menu, routes, search, keys and phone bar follow from it
 * (docs/decisions/0027-one-design-system.md).
 */
export interface ConsolePage {
  /** Path after `/staff/`; empty for the start page. */
  name: string
  /** Title in the menu and the top bar. */
  title: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  /** Second key of the shortcut `G` and this key. */
  key?: string
  /** Name of the call that a role must be allowed to make. Roles without it do not see the page. */
  right: string
  menu: { section: (typeof sections)[number]; position: number; onPhone?: true }
  /** Loads the page's component when it is first opened. */
  load: () => Promise<{ default: ComponentType }>
}
