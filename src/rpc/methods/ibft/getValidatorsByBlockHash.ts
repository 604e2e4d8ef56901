import { getValidatorsByBlockHash } from '../../validators/getValidatorsByBlockHash.ts'

export const ibft_getValidatorsByBlockHash = getValidatorsByBlockHash('ibft')
