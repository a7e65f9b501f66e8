/** `npm test -- structure`: checks that no folder names tables of a higher tier or a sibling, or unpublished ones of a lower tier. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { problems, findBreaks } from '../tools/database/borders.ts'
import { readAllFolders } from '../tools/database/all-folders.ts'

const SERVER = fileURLToPath(new URL('../apps/server/src/', import.meta.url))
/** Tests, entry points, and code that compares all folders may name any table. */
const FREE =
  /^(cli|main|diagnostics|modules\/(reconciliation|personal-data)|sandbox\/demo)\/|\.test\.ts$|\/test-[^/]*\.ts$|\.generated\.ts$/

const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|sql)$/.test(file) && !FREE.test(file))
const sources = files.map((file) => ({ file, text: readFileSync(path.join(SERVER, file), 'utf8') }))
const findings = findBreaks(readAllFolders(), sources)
const wrong = problems(findings)
for (const problem of wrong) console.error(problem)
console.log(`${findings.tables} tables, named ${findings.named} times`)
process.exit(wrong.length > 0 ? 1 : 0)
