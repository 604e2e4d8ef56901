import { getValidatorsByBlockHash } from '../shared/getValidatorsByBlockHash.ts'

export const ibft_getValidatorsByBlockHash = getValidatorsByBlockHash('ibft')
