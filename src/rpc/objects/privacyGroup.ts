import type { PrivacyGroup } from '../../privacy/enclave/enclave.ts'
import { listEncoder } from '../codecs/list.ts'
import { record } from '../codecs/record.ts'
import { text } from '../codecs/text.ts'

/** A privacy group, with the members in Besu's order. */
export const groupObject = record<PrivacyGroup>('privacy group', (member) => [
  member('privacyGroupId', text, ({ privacyGroupId }) => privacyGroupId),
  member('type', text, ({ type }) => type),
  member('name', text, ({ name }) => name),
  member('description', text, ({ description }) => description),
  member('members', listEncoder(text), ({ members }) => members),
])
