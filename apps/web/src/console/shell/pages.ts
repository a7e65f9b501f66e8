import { type Loadable, loadable } from '../../lib/http/loadable.ts'
import { type ConsolePage, sections } from './console-page.ts'

const declared = Object.values(import.meta.glob<ConsolePage>('../pages/*/page.ts', { eager: true, import: 'page' }))

/** The menu: the pages of each section, in order. */
export const menu: readonly { title: string; pages: readonly ConsolePage[] }[] = sections.map((section) => ({
  title: section === 'Start' ? '' : section,
  pages: declared.filter(({ menu: { section: own } }) => own === section).toSorted((one, other) => one.menu.position - other.menu.position),
}))

/** All pages of the console, in the order of the menu. */
export const pages: readonly ConsolePage[] = menu.flatMap((section) => section.pages)

/** The module of each page, by the page's name. */
export const screens: ReadonlyMap<string, Loadable<object>> = new Map(pages.map(({ name, load }) => [name, loadable(load)]))

/** The address of a page. */
export const pathOf = ({ name }: Pick<ConsolePage, 'name'>): string => (name === '' ? '/staff' : `/staff/${name}`)

/** Finds the page of an address. */
export const pageAt = (pathname: string, among = pages): ConsolePage | undefined =>
  among.find((page) => pathname === pathOf(page) || (page.name !== '' && pathname.startsWith(`${pathOf(page)}/`)))

/** Loads the code of a page in advance. A failure shows when the page is opened. */
export function preloadPage(page: ConsolePage | undefined): void {
  if (page !== undefined)
    screens
      .get(page.name)
      ?.load()
      .catch(() => undefined)
}
