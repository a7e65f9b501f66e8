import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { type ConsolePage, sections } from './console-page.ts'

const declared = Object.values(import.meta.glob<ConsolePage>('../pages/*/page.ts', { eager: true, import: 'page' }))

/** The menu: the pages of each section, in order. */
export const menu: readonly { title: string; pages: readonly ConsolePage[] }[] = sections.map((section) => ({
  title: section === 'Start' ? '' : section,
  pages: declared.filter(({ menu: { section: own } }) => own === section).toSorted((one, other) => one.menu.position - other.menu.position),
}))

/** All pages of the console, in the order of the menu. */
export const pages: readonly ConsolePage[] = menu.flatMap((section) => section.pages)

/** The component of each page, by the page's name. */
export const screens: ReadonlyMap<string, LazyExoticComponent<ComponentType>> = new Map(pages.map(({ name, load }) => [name, lazy(load)]))

/** The address of a page. */
export const pathOf = ({ name }: Pick<ConsolePage, 'name'>): string => (name === '' ? '/staff' : `/staff/${name}`)
