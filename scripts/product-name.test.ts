import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, type Node } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Defaults of an installation without its own name, the title that the page server replaces, and a key in the browser's storage. */
const ALLOWED = [
  'apps/server/src/http/pages/web-files.ts: <title>Tizara</title>',
  'apps/server/src/platform/config/environment.ts: TIZARA',
  'apps/server/src/platform/config/environment.ts: Tizara',
  'apps/web/src/lib/asset-unit.ts: TIZARA',
  'apps/web/src/settings/app-config.ts: TIZARA',
  'apps/web/src/settings/app-config.ts: Tizara',
]

const PRODUCT = /T(izara|IZARA)(?![A-Z_])/

/** Returns the string constants and texts of elements in a file that name the product. Names of modules and commands are in lower case. */
function productIn(code: string, file = 'a.tsx'): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const { type, value, ...children } = node as Node & Record<string, unknown>
    const text = type === 'TemplateElement' ? (value as { raw: string }).raw : /^(Literal|JSXText)$/.test(type) ? String(value) : ''
    if (PRODUCT.test(text)) found.push(text.trim())
    visit(value)
    for (const child of Object.values(children)) visit(child)
  }
  if (PRODUCT.test(code)) visit(parseSync(file, code).program)
  return found
}

/** Product code of server, contract and pages. Commands and their output belong to the product. */
function productFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', 'apps/server/src', 'apps/web/src', 'packages/*/src'], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/test\/|\/cli\/|\/diagnostics\//.test(file))
}

describe('name of the product', () => {
  it('is found in texts, templates and elements, but not in comments and names of modules', () => {
    const code = "// Tizara\nimport '@tizara/money'\nconst a = ['Tizara pays', `${1} Tizara`, <p title='Tizara'>by Tizara</p>]"
    expect(productIn(code)).toEqual(['Tizara pays', 'Tizara', 'Tizara', 'by Tizara'])
  })

  it('[GN-27] is in no text of pages, mails, PDF files, calendars and errors, because no constant has it', () => {
    const files = productFiles()
    expect(files.length).toBeGreaterThan(1000)
    const found = files.flatMap((file) => productIn(readFileSync(path.join(ROOT, file), 'utf8'), file).map((text) => `${file}: ${text}`))
    expect(found.toSorted()).toEqual(ALLOWED)
  })
})
