import { getValidatorsByBlockHash } from '../../validators/getValidatorsByBlockHash.ts'

export const qbft_getValidatorsByBlockHash = getValidatorsByBlockHash('qbft')
