/**
 * Finds the texts of the product on the syntax tree: those that are translated, and those of the member app that are shown without
 * translation (docs/decisions/0065-languages.md).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { errorCatalogue } from '@tizara/contract'
import { valueTexts } from '@tizara/contract/response-texts'
import { reserveGaps } from '@tizara/contract/balance-proof/proof-statement'
import { rewardNames } from '@tizara/contract/reward-names'
import { proofErrors } from '@tizara/contract/balance-proof/proof-error'
import { parseSync, type Node } from 'oxc-parser'
import { groups } from '../apps/server/src/http/api-page/groups.ts'
import { memberRoutes, notFound, publicRoutes } from '../apps/web/src/app/page-routes.ts'
import { type PageGroup, textKey } from '../packages/languages/src/catalogue.ts'

/** Texts of one file. */
export interface FoundTexts {
  /** English texts of `t('…')`, `texts(…)` and `<T text="…">`. */
  translated: string[]
  /** Texts that a person sees but that are not translated, or are translated before the page has a language, as `line: text`. */
  untranslated: string[]
}

/** Attributes that are never shown. All others are texts if they read like one. */
const HIDDEN_ATTRIBUTES =
  /^(className|triggerClass|d|href|to|type|name|id|key|rel|target|role|viewBox|stroke.*|fill|preserveAspectRatio|shapeRendering|wallet|autoComplete|inputMode|method|tone|size|variant|align|list|src|style|value|kind|side|lang|accept|data-.*|aria-(live|current|haspopup|sort|autocomplete)|transform|textAnchor)$/
/** Attributes and properties whose value is a text even if it is one word. */
const SHOWN =
  /^(title|label|hint|aria-label|aria-valuetext|subtitle|submit|emptyHint|text|placeholder|description|pendingLabel|confirmLabel|cancelLabel|closeLabel|okLabel|note|intro|emptyText|groupLabel|alt|caption|sub|missingText|valueText|valueLabel|subject|header|word|means|says)$/
const HIDDEN_PROPERTIES = /^(key|id|tone|href|path|type|kind|name|className)$/
/** Calls whose arguments are not shown. */
const HIDDEN_CALLS =
  /^(cx|buttonClass|console\.\w+|import|Symbol|setHeader|ask|unitOf|metaContent|matchMedia|navigate|createElement|readOr|.*\.(addEventListener|removeEventListener|querySelector(All)?|includes|startsWith|endsWith|indexOf|get|has|set|closest|matches|field|setAttribute|removeAttribute|getItem|setItem|toLocaleString|join|split|test|replace(All)?|getContext|append|toggle|dispatchEvent))$/
/** Calls that call their argument before they return. */
const IMMEDIATE_CALLS = /(\.(map|flatMap|filter|find|forEach|reduce|some|every|sort|toSorted)|^Array\.from)$/
const HIDDEN_CONSTRUCTORS = /(Error|Event|Format|DisplayNames)$|^(URLSearchParams|RegExp|Blob|Map|Set)$/
/** Names and units that are the same in every language. */
const NAMES = /^(USDT?|TIZARA|Tizara|BNB|BNB Smart Chain( Testnet)?|BEP\(20\)|ERC\(20\)|TRC\(20\)|APY|NFT|ID)$/

/** Separates two values, in the form of Latin scripts. */
const SEPARATOR = /[,;] /

const hasLetters = (text: string): boolean => /\p{L}/u.test(text)
const isClassName = (text: string): boolean => /^[^A-Z\s]+( +[^A-Z\s]+)*$/.test(text) && /[-:[]/.test(text)
/** Two words, or one that begins with a capital letter and continues in small ones. */
const readsLikeText = (text: string): boolean =>
  !isClassName(text) &&
  !/^(https?:|[/.#]|[a-z]+:)/.test(text) &&
  (/[A-Za-z]{2,}[,.;:]? +[A-Za-z]/.test(text) || /^[A-Z][a-z]+(?![A-Za-z])/.test(text))

type Parents = readonly Node[]
const nameOf = (node: unknown): string => {
  const { name, value, namespace } = node as { name?: unknown; value?: unknown; namespace?: { name: string } }
  if (namespace !== undefined) return `${namespace.name}:${nameOf(name)}`
  return typeof name === 'string' ? name : typeof value === 'string' ? value : ''
}

/**
 * Reads the texts of a source file.
 * @param isShown true for files of the member app, whose untranslated texts are problems
 */
export function textsOf(file: string, code: string, isShown: boolean): FoundTexts {
  const translated: string[] = []
  const untranslated: string[] = []
  const sourceOf = (node: Node): string => code.slice(node.start, node.end)
  const report = (node: Node, text: string): void => {
    untranslated.push(`${code.slice(0, node.start).split('\n').length}: ${text.trim().replaceAll(/\s+/g, ' ')}`)
  }
  const literalOf = (node: Node | undefined): string | undefined =>
    node?.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node?.type === 'TemplateLiteral' && node.expressions.length === 0
        ? (node.quasis[0]?.value.cooked ?? undefined)
        : undefined

  /** Returns the texts of which an expression chooses one: `label ?? 'Amount'`, `isOpen ? 'Open' : 'Closed'`. */
  function literalsOf(node: Node | undefined): string[] {
    if (node?.type === 'ParenthesizedExpression') return literalsOf(node.expression)
    if (node?.type === 'LogicalExpression') return [...literalsOf(node.left), ...literalsOf(node.right)]
    if (node?.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
    const text = literalOf(node)
    return text === undefined ? [] : [text]
  }

  /** Collects the texts of `texts(…)`; functions in it translate their own. */
  function collect(node: unknown, isText: (name: string) => boolean, name: string): void {
    if (Array.isArray(node)) for (const one of node) collect(one, isText, name)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const found = node as Node
    if (/Function/.test(found.type)) return
    const text = literalOf(found)
    if (text !== undefined) {
      if (isText(name) && hasLetters(text)) translated.push(text)
    } else if (found.type === 'Property') collect(found.value, isText, nameOf(found.key))
    // An argument of a call in a list, such as rewardColumn('amount', 'Amount'), is the text that reads like one.
    else if (found.type === 'CallExpression')
      collect(
        found.arguments.filter((one) => readsLikeText(literalOf(one as Node) ?? '')),
        () => true,
        '',
      )
    else for (const child of childrenOf(found)) collect(child, isText, name)
  }

  /** Tells whether any letters in this expression are shown: in the content of an element or in an attribute or property for texts. */
  function isInTextPosition(node: Node, parents: Parents): boolean {
    let below = node
    for (const parent of parents.toReversed()) {
      if (parent.type === 'JSXExpressionContainer') {
        const owner = parents[parents.indexOf(parent) - 1]
        return owner?.type === 'JSXAttribute' ? SHOWN.test(nameOf(owner.name)) : true
      }
      if (parent.type === 'Property') return parent.value === below && SHOWN.test(nameOf(parent.key))
      if (parent.type === 'ConditionalExpression' ? parent.test === below : !/^(Logical|Parenthesized|TSAs)/.test(parent.type)) return false
      below = parent
    }
    return false
  }

  function isHidden(node: Node, parents: Parents): boolean {
    const parent = parents.at(-1)
    if (parent === undefined) return true
    if (/^(Import|Export(Named|All)|SwitchCase|TS|MemberExpression|TaggedTemplate)/.test(parent.type) && parent.type !== 'TSAsExpression')
      return true
    if (parent.type === 'BinaryExpression' && parent.operator !== '+') return true
    if (parent.type === 'Property' && (parent.key === node || HIDDEN_PROPERTIES.test(nameOf(parent.key)))) return true
    for (const one of parents.toReversed()) {
      if (/Function/.test(one.type)) return false
      if (one.type === 'JSXAttribute' && HIDDEN_ATTRIBUTES.test(nameOf(one.name))) return true
      if (one.type === 'NewExpression' && HIDDEN_CONSTRUCTORS.test(sourceOf(one.callee))) return true
      if (one.type === 'CallExpression' && (one === parent || /^(cx|buttonClass|console)/.test(sourceOf(one.callee))))
        if (HIDDEN_CALLS.test(sourceOf(one.callee))) return true
    }
    return false
  }

  function checkText(node: Node, text: string, parents: Parents): void {
    if (!hasLetters(text) || NAMES.test(text)) return
    const parent = parents.at(-1)
    if (parent?.type === 'JSXAttribute') {
      const name = nameOf(parent.name)
      if (SHOWN.test(name) || (!HIDDEN_ATTRIBUTES.test(name) && readsLikeText(text))) report(node, text)
      return
    }
    if (isHidden(node, parents)) return
    const isWord = isInTextPosition(node, parents) && !/^[a-z]+[A-Z]\w*$/.test(text) && !isClassName(text)
    if (isWord || readsLikeText(text)) report(node, text)
  }

  /** Reports a comma of Latin scripts between two values: `joinList`, `afterComma` or a text has that of the language. */
  function checkSeparator(node: Node, parents: Parents): void {
    // The value of a column is that of its CSV file.
    if (parents.some((one) => one.type === 'Property' && nameOf(one.key) === 'value' && /Function/.test(one.value.type))) return
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'join') {
      if (SEPARATOR.test(literalOf(node.arguments[0]) ?? '')) report(node, sourceOf(node))
    } else if (node.type === 'JSXText' || (node.type === 'Literal' && typeof node.value === 'string')) {
      const text = node.value
      if (!hasLetters(text) && SEPARATOR.test(text) && !isHidden(node, parents)) report(node, text)
    } else if (node.type === 'TemplateLiteral' && !isHidden(node, parents)) {
      if (node.quasis.some(({ value }) => !hasLetters(value.raw) && SEPARATOR.test(value.raw))) report(node, sourceOf(node))
    }
  }

  /** Tells whether a call runs while its module loads, when the page may still have no language: outside any function that is called later. */
  const runsAtLoad = (parents: Parents): boolean =>
    parents.every((one, index) => {
      const call = parents[index - 1]
      return !/Function/.test(one.type) || (call?.type === 'CallExpression' && IMMEDIATE_CALLS.test(sourceOf(call.callee)))
    })

  function visit(node: unknown, parents: Parents): void {
    if (Array.isArray(node)) for (const one of node) visit(one, parents)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const found = node as Node
    if (found.type === 'CallExpression' && found.callee.type === 'Identifier') {
      const [first, second] = found.arguments as [Node?, Node?]
      if (found.callee.name === 't') {
        translated.push(...literalsOf(first))
        if (isShown && runsAtLoad(parents)) report(found, sourceOf(found))
        visit(second, [...parents, found])
        return
      }
      if (found.callee.name === 'texts') {
        const names = second === undefined ? undefined : sourceOf(first as Node)
        collect(second ?? first, (name) => names === undefined || names.includes(`'${name}'`), '')
        visitFunctions(second ?? first, [...parents, found])
        return
      }
    }
    if (found.type === 'JSXOpeningElement' && nameOf(found.name) === 'T') {
      for (const attribute of found.attributes) {
        const isText = attribute.type === 'JSXAttribute' && nameOf(attribute.name) === 'text'
        const value = isText ? (attribute.value as Node | null) : null
        const text = value?.type === 'JSXExpressionContainer' ? literalOf(value.expression) : literalOf(value ?? undefined)
        if (text === undefined) visit(attribute, [...parents, found])
        else translated.push(text)
      }
      return
    }
    if (isShown) {
      checkSeparator(found, parents)
      if (found.type === 'JSXText' && hasLetters(found.value) && !NAMES.test(found.value.trim())) report(found, found.value)
      if (found.type === 'Literal' && typeof found.value === 'string') checkText(found, found.value, parents)
      // A placeholder counts as part of a word, so that `Level ${n}` reads like a text.
      if (found.type === 'TemplateLiteral') {
        const text = found.quasis.map((part) => part.value.cooked).join('\u00A4')
        if (/(^|[\s(])[A-Za-z][a-z]+[\s.,:;)]|\s[A-Za-z][a-z]+$/.test(text) && !/\b(px|calc|translate|rotate)\b|^\/|-\u00A4/.test(text))
          checkText(found, text.replaceAll('\u00A4', 'x'), parents)
      }
    }
    for (const child of childrenOf(found)) visit(child, [...parents, found])
  }

  function visitFunctions(node: unknown, parents: Parents): void {
    if (Array.isArray(node)) for (const one of node) visitFunctions(one, parents)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const found = node as Node
    if (/Function/.test(found.type)) visit(found, parents)
    else for (const child of childrenOf(found)) visitFunctions(child, [...parents, found])
  }

  visit(parseSync(file, code).program, [])
  return { translated, untranslated }
}

function childrenOf(node: Node): unknown[] {
  if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return []
  return Object.entries(node).flatMap(([name, value]) => (name === 'type' || name === 'start' || name === 'end' ? [] : [value as unknown]))
}

const ROOT = path.resolve(import.meta.dirname, '..')
const SOURCE = /\.tsx?$/
const NOT_SHOWN = /\.test\.tsx?$|\/test\/|\/src\/console\/|\/main-staff\.tsx$/

/** Returns the source files of the folder that a person of the member app sees, without tests and the console. */
export function sourceFiles(folder: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => SOURCE.test(file) && !NOT_SHOWN.test(file))
}

/** States of rows that the app shows as the server sends them (EN-45). */
const STATES = ['ACTIVE', 'APPROVE', 'CLOSED', 'COMPLETED', 'OPEN', 'PENDING', 'REJECT', 'REVERSED']

/** Files whose constants are texts of responses: receipts, reasons, obstacles, and names in lists. */
const RESPONSE_FILES =
  /\.transfers\.ts$|receipts?\.ts$|\/(closing-obstacles|referral\.rules|cancel-payout|rewards\/history|upcoming\.queries|(statement|earnings|background-jobs)\.job)\.ts$/
const RECEIPT_PROPERTIES = /^(title|label|baseLabel|rateUnit|rule)$/

/** Returns the constant texts of responses. The app translates them, because API responses are in English. */
function responseTexts(pattern: RegExp): string[] {
  const found: string[] = []
  const collect = (node: unknown, isWhole: boolean): void => {
    if (Array.isArray(node)) for (const one of node) collect(one, isWhole)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const one = node as Node
    if (one.type === 'ImportDeclaration' || (one.type === 'Property' && nameOf(one.key) === 'staffTitle')) return
    if (one.type === 'NewExpression') {
      if (nameOf(one.callee) === 'JobError') collect(one.arguments, true)
      return
    }
    if (one.type === 'TaggedTemplateExpression') return
    if (one.type === 'VariableDeclarator' && one.init?.type === 'Literal') return collect(one.init, true)
    if (one.type === 'Property' && one.value.type === 'Literal' && typeof one.value.value === 'string') {
      if (RECEIPT_PROPERTIES.test(nameOf(one.key)) || readsLikeText(one.value.value)) found.push(one.value.value)
    } else if (isWhole && one.type === 'Literal' && typeof one.value === 'string') {
      if (readsLikeText(one.value) && /^[A-Zt]/.test(one.value) && !one.value.includes('{')) found.push(one.value)
    } else for (const child of childrenOf(one)) collect(child, isWhole)
  }
  for (const file of sourceFiles('apps/server/src').filter((one) => pattern.test(one)))
    // Transfers have sentences for staff beside the titles of receipts, and jobs have headings of CSV files beside their errors.
    collect(parseSync(file, readFileSync(path.join(ROOT, file), 'utf8')).program, !/\.(transfers|job)\.ts$/.test(file))
  return found
}

/** Returns the messages of the schemas of members' calls. A member sees one if a form let the value pass. */
function schemaTexts(): string[] {
  const found: string[] = []
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) collect(one)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const one = node as Node
    if (one.type === 'CallExpression' && one.callee.type === 'MemberExpression' && nameOf(one.callee.object) === 'v') {
      const message = one.arguments.at(-1) as Node | undefined
      if (message?.type === 'Literal' && typeof message.value === 'string' && /^[A-Z][a-z]+ /.test(message.value)) found.push(message.value)
    }
    for (const child of childrenOf(one)) collect(child)
  }
  for (const file of sourceFiles('packages/contract/src').filter((name) => !path.basename(name).startsWith('staff')))
    collect(parseSync(file, readFileSync(path.join(ROOT, file), 'utf8')).program)
  return found
}

const translatedIn = (file: string): string[] => textsOf(file, readFileSync(path.join(ROOT, file), 'utf8'), false).translated
const textsIn = (folder: string): string[] => sourceFiles(folder).flatMap(translatedIn)

/** Returns the files of app and contract that a group of pages can load, without those of other pages. */
function filesOf(group: PageGroup): string[] {
  const routes = [...publicRoutes, ...memberRoutes, notFound].filter((route) => (route.group ?? 'lists') === group)
  const files = new Set([...sourceFiles('apps/web/src'), ...sourceFiles('packages/contract/src')])
  const waiting = ['apps/web/src/app/main.tsx', 'apps/web/src/app/main-sign-in.tsx']
  waiting.push(...routes.map(({ screen }) => `apps/web/src/${screen}.screen.tsx`))
  const found = new Set<string>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !files.has(file)) continue
    found.add(file)
    const from = path.dirname(file)
    // An import in a string would only add a file.
    for (const [, name = ''] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g))
      waiting.push(name.startsWith('.') ? path.join(from, name) : `${name.replace('@tizara/contract', 'packages/contract/src')}.ts`)
  }
  return [...found]
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()

/**
 * Returns the English texts of the product.
 * @returns `app`: texts that the browser may show, with the server's refusals; `pages`: those that each group of pages may show; `server`:
 *   the texts of mails and files
 * @throws Error for two texts with one key
 */
export function allTexts(): { app: string[]; pages: Record<PageGroup, string[]>; server: string[] } {
  // Mails and the inbox share the texts of notifications.
  const shared = textsIn('packages/contract/src')
  const responses = [
    ...responseTexts(RESPONSE_FILES),
    ...valueTexts,
    ...Object.values(rewardNames),
    ...Object.values(reserveGaps),
    ...Object.values(errorCatalogue).map(({ message }) => message),
    ...schemaTexts(),
    // What an API key may read.
    ...groups.filter(({ title }) => title !== 'Staff').map(({ title }) => title),
    'Invalid value',
  ]
  const errors = Object.values(proofErrors)
  const app = sorted([...textsIn('apps/web/src'), ...shared, ...errors, ...responses, ...STATES])
  const keys = new Map<number, string>()
  for (const text of app) {
    const other = keys.get(textKey(text))
    if (other !== undefined) throw new Error(`two texts have the same key, so change one: “${text}”, “${other}”`)
    keys.set(textKey(text), text)
  }
  const pagesOf = (group: PageGroup, more: readonly string[] = []) =>
    // Any page may show a response, for example in a receipt.
    sorted([...filesOf(group).flatMap(translatedIn), ...responses, ...more, ...STATES])
  const pages = { arrival: pagesOf('arrival'), account: pagesOf('account', errors), lists: pagesOf('lists', errors) }
  return { app, pages, server: sorted([...textsIn('apps/server/src'), ...shared]) }
}
