import { writeJson } from '../../../../http/server/json.ts'

/** Converts a value to JSON for storage and display, amounts as plain decimals. */
export const asJson = (value: unknown): unknown => JSON.parse(writeJson(value))
