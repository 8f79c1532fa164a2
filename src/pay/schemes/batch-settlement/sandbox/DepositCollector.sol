// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// A stand-in for the collector of deposits that are signed as EIP-3009 authorizations, on a chain of one's own machine.
/// An authorization is bound to its channel by its nonce, and only this contract can use it.
contract DepositCollector {
    address private constant SETTLEMENT = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;

    error NotAllowed();

    function collect(
        address payer,
        address token,
        uint256 amount,
        bytes32 channelId,
        bytes calldata data
    ) external {
        if (msg.sender != SETTLEMENT) revert NotAllowed();
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) = abi.decode(
            data,
            (uint256, uint256, uint256, bytes)
        );
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        IToken(token).receiveWithAuthorization(
            payer,
            address(this),
            amount,
            validAfter,
            validBefore,
            nonce,
            signature
        );
        if (!IToken(token).transfer(SETTLEMENT, amount)) revert NotAllowed();
    }
}
