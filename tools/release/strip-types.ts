/** `node strip-types.ts MODULE…`: converts modules to JavaScript in place. */
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

for (const file of process.argv.slice(2)) writeFileSync(file, stripTypeScriptTypes(readFileSync(file, 'utf8')))
