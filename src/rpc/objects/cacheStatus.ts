import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** What became of a wish about the log index, in one member with a capital letter. */
export const cacheStatus = record<string>('status', (member) => [member('Status', text, (status) => status)])
