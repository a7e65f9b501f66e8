import format, { type CompiledMessage } from 'icu-minify/format'

/** Value of a placeholder. A plural needs a number. A tag needs a function of its content. */
export type Value = string | number | bigint | boolean | Date | ((content: unknown[]) => unknown)
export type Values = Readonly<Record<string, Value>>

const NAME = /^\s*([\w.-]+)\s*/
const PLURAL = 2
const KINDS: Readonly<Record<string, number>> = { select: 1, plural: PLURAL, selectordinal: 3 }

/**
 * Parses an ICU message with arguments, plural, select and tags into the form that the library formats. The library's own parser has
 * 8 kB (gzip) and is used only in checks, which require the same result for every text (`check.ts`,
 * docs/decisions/0065-languages.md).
 * @throws SyntaxError for an unclosed brace or tag, or another kind of argument
 */
export function parseMessage(text: string): CompiledMessage {
  let at = 0
  const expect = (pattern: RegExp): string => {
    const found = pattern.exec(text.slice(at))
    if (found === null) throw new SyntaxError(`unexpected end or character at ${at} of: ${text}`)
    at += found[0].length
    return found[1] ?? ''
  }
  const simple = (nodes: unknown[]): unknown =>
    nodes.length === 0 ? '' : nodes.length === 1 && !Array.isArray(nodes[0]) ? nodes[0] : nodes

  function argument(): unknown[] {
    at += 1
    const name = expect(NAME)
    if (text[at] === '}') {
      at += 1
      return [name]
    }
    const kind = KINDS[expect(/^,\s*(\w+)\s*,/)]
    if (kind === undefined) throw new SyntaxError(`only plural, selectordinal and select are allowed: ${text}`)
    const options: Record<string, unknown> = Object.create(null)
    while (text.slice(at).trimStart()[0] !== '}') {
      const option = expect(/^\s*(=?\w+)\s*\{/)
      options[option] = simple(message(kind >= PLURAL))
      expect(/^\}/)
    }
    expect(/^\s*\}/)
    return [name, kind, options]
  }

  function message(isPlural: boolean, tag?: string): unknown[] {
    const nodes: unknown[] = []
    const add = (node: unknown): void => {
      const last = nodes.at(-1)
      if (typeof node === 'string' && typeof last === 'string') nodes[nodes.length - 1] = last + node
      else nodes.push(node)
    }
    while (at < text.length && text[at] !== '}') {
      if (tag !== undefined && text.startsWith('</', at)) return nodes
      const opened = /^<([a-z]\w*)>/.exec(text.slice(at))?.[1]
      if (opened !== undefined) {
        at += opened.length + 2
        const content = message(isPlural, opened)
        if (!text.startsWith(`</${opened}>`, at)) throw new SyntaxError(`<${opened}> is not closed: ${text}`)
        at += opened.length + 3
        add([opened, ...(content.length === 0 ? [''] : content)])
      } else if (text[at] === '{') add(argument())
      else if (isPlural && text[at] === '#') {
        at += 1
        add(0)
      } else add(expect(isPlural ? /^(<?[^{}<#]*)/ : /^(<?[^{}<]*)/))
    }
    return nodes
  }

  const nodes = message(false)
  if (at < text.length) throw new SyntaxError(`unexpected } at ${at} of: ${text}`)
  return (nodes.length === 1 && typeof nodes[0] === 'string' ? nodes[0] : nodes.length === 0 ? '' : nodes) as CompiledMessage
}

const parsed = new Map<string, CompiledMessage>()
const formatters = {
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...options),
  // Figures have one form in all languages (docs/decisions/0065-languages.md).
  getNumberFormat: () => new Intl.NumberFormat('en-US'),
  getPluralRules: (...options: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...options),
}

/**
 * Fills a message with values.
 * @param language BCP 47 tag, for plurals and numbers
 * @returns the text, or a list of texts and results of tag functions
 */
export function formatMessage(text: string, language: string, values: Values): unknown {
  let message = parsed.get(text)
  if (message === undefined) parsed.set(text, (message = parseMessage(text)))
  return format<unknown>(message, language, values as Parameters<typeof format>[2], { formatters })
}
