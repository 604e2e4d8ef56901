import { precompileOf } from '../../../privacy/markers.ts'
import { address } from '../../codecs/bytes.ts'
import { privateMethod } from '../../privacy/privateMethod.ts'

export const priv_getPrivacyPrecompileAddress = privateMethod({
  name: 'priv_getPrivacyPrecompileAddress',
  doc: 'Returns the address that markers of private transactions go to.',
  needs: [],
  params: [],
  result: address,
  handler: ({ privacy }) => precompileOf(privacy.kind),
})
