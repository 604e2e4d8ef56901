import { getValidatorsByBlockNumber } from '../../validators/getValidatorsByBlockNumber.ts'

export const qbft_getValidatorsByBlockNumber = getValidatorsByBlockNumber('qbft')
