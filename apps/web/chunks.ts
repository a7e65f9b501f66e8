import path from 'node:path'
import type { Plugin } from 'vite'

/** What an entry imports, directly or not, without what it fetches later; filled while building. */
const needs = { everyPage: new Set<string>(), signIn: new Set<string>(), member: new Set<string>(), list: new Set<string>() }

/** What stands on nearly every member's page, and comes with the frame. */
const COMMON = [
  ...['address', 'art/empty-art', 'card', 'description-list', 'empty-state', 'money', 'notice', 'page-header', 'skeleton', 'stat-card'].map(
    (name) => `ui/${name}.tsx`,
  ),
  'lib/list-columns.tsx',
  'lib/moment.tsx',
  'lib/receipt-link.ts',
]

/** What a list is made of. */
const LIST = ['lib/paged-list.tsx', 'lib/receipt-drawer.tsx', 'ui/data-table.tsx']

/** Looks up, before files are put together, what belongs to whom. */
export function findNeeds(): Plugin {
  return {
    name: 'find-needs',
    apply: 'build',
    buildEnd() {
      const collect = (id: string, found: Set<string>): void => {
        if (found.has(id)) return
        found.add(id)
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) collect(next, found)
      }
      const source = (file: string): string => path.join(import.meta.dirname, 'src', file)
      collect(source('app/main.tsx'), needs.everyPage)
      collect(source('app/main-sign-in.tsx'), needs.signIn)
      for (const file of ['app/member-frame.ts', ...COMMON]) collect(source(file), needs.member)
      for (const file of LIST) collect(source(file), needs.list)
      // What runs when it is loaded, or is fetched by name, stays a file of its own.
      const entries = ['app/main.tsx', 'app/main-sign-in.tsx'].map(source)
      for (const found of Object.values(needs)) for (const entry of entries) found.delete(entry)
    },
  }
}

const inWeb = (pattern: string): RegExp => new RegExp(`apps/web/src/(${pattern})\\.tsx?$`)
/**
 * Few files, because many small ones are slower: React and router, what every page runs on, what the sign-in page adds,
 * what calls are read with, a member's frame with the parts that nearly all its pages use, lists, charts, the forms that
 * move money; then what a few screens share, and each screen's own. A page loads no other page's code, save a little of
 * its neighbours'.
 */
export const groups = [
  { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam)\//, priority: 20 },
  {
    name: 'base',
    test: (id: string) =>
      needs.everyPage.has(id) ||
      (needs.signIn.has(id) && needs.member.has(id)) ||
      inWeb('ui/(field|field-context|input|use-form|password-input)').test(id) ||
      (needs.signIn.has(id) && id.includes('lucide-react')),
    priority: 18,
  },
  { name: 'sign-in', test: (id: string) => needs.signIn.has(id), priority: 16 },
  {
    name: 'data',
    test: (id: string) =>
      /node_modules\/valibot\/|packages\/money\/|packages\/contract\/src\/(index|errors|fields|limits|paging|route|session)\.ts/.test(id) ||
      inWeb('lib/(ahead|api|api-error|http|read-reply|session-calls|wire-json)').test(id),
    priority: 15,
  },
  {
    name: 'frame',
    test: (id: string) =>
      needs.member.has(id) ||
      /node_modules\/@tanstack\/|packages\/contract\/src\/(wallets|settings)\.ts/.test(id) ||
      /lucide-react.*\/(check|clock|copy|external-link|chevron-right)\./.test(id) ||
      inWeb('wallets/(typed-amount|wallet\\.queries|wallet-names|settings\\.queries)').test(id),
    priority: 14,
  },
  { name: 'list', test: (id: string) => needs.list.has(id), priority: 13 },
  {
    name: 'charts',
    test: (id: string) => /node_modules\/d3-/.test(id) || inWeb('ui/charts/.*|lib/drawn').test(id),
    minShareCount: 2,
    priority: 12,
  },
  {
    name: 'rewards',
    test: /packages\/contract\/src\/(rewards|nfts)\.ts|apps\/web\/src\/(rewards\/[\w-]+(\.messages|\.queries|-cells|-columns)|nfts\/nfts\.messages)\.tsx?/,
    minShareCount: 2,
    priority: 11,
  },
  {
    name: 'staking',
    test: /packages\/contract\/src\/staking\.ts|apps\/web\/src\/(staking\/([\w-]+\.(rules|queries|messages)|stake-columns|stake-status))\.tsx?/,
    minShareCount: 2,
    priority: 11,
  },
  {
    name: 'ticket-form',
    test: /apps\/web\/src\/support\/(picture|load-picture|reply-form)|ui\/(textarea|file-input)|(paperclip|image-off)\.mjs/,
    minShareCount: 2,
    priority: 12,
  },
  {
    name: 'support',
    test: /apps\/web\/src\/support\/|packages\/contract\/src\/support/,
    minShareCount: 2,
    priority: 11,
  },
  { name: 'nft-shop', test: inWeb('nfts/(nfts\\.rules|nfts\\.queries|nft-art)'), minShareCount: 2, priority: 11 },
  { name: 'team', test: /apps\/web\/src\/team\/|packages\/contract\/src\/team/, minShareCount: 2, priority: 11 },
  { name: 'account', test: /apps\/web\/src\/auth\//, minShareCount: 2, priority: 11 },
  {
    name: 'parts',
    test: inWeb('lib/use-countdown|staking/plan-field|ui/(amount-input|select|copy-button|copy-field|segmented|radio-cards)'),
    minShareCount: 2,
    priority: 11,
  },
  {
    name: 'moves',
    test: /(coin|deposits|withdrawals|transfers)(\.messages|\/index|)\.ts$|status-badge|withdrawal-status/,
    minShareCount: 2,
    priority: 11,
  },
  {
    name: 'move-forms',
    test: inWeb(
      '(coin|deposits|transfers|withdrawals)/.*\\.dialog|deposits/deposit-form|transfers/(?!.*(screen|index|messages)).*|withdrawals/(address-field|.*-form.*)|wallets/(?!.*quer).*|lib/use-idempotency-key|ui/dialog|deposits/(departure|use-departure)',
    ),
    minShareCount: 1,
    priority: 10,
  },
]
