import { getValidatorsByBlockHash } from '../shared/getValidatorsByBlockHash.ts'

export const qbft_getValidatorsByBlockHash = getValidatorsByBlockHash('qbft')
