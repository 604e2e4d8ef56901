import { precompileOf } from '../../../privacy/sending/markers.ts'
import { privateMethod } from '../../calls/privateMethod.ts'
import { address } from '../../codecs/bytes.ts'

export const priv_getPrivacyPrecompileAddress = privateMethod({
  name: 'priv_getPrivacyPrecompileAddress',
  doc: 'Returns the address that markers of private transactions go to.',
  needs: [],
  params: [],
  result: address,
  handler: ({ privacy }) => precompileOf(privacy.kind),
})
