import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** Outcome of a log-index command, as `{ Status }`. */
export const cacheStatus = record<string>('status', (member) => [member('Status', text, (status) => status)])
