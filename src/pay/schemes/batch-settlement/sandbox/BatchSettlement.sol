// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IERC20 {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

interface IERC1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// Brings the money of a deposit to the contract that asks for it.
interface ICollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// A stand-in for the contract of payment channels on a chain of one's own machine, written from its published interface:
/// deposits open channels, vouchers with growing totals are claimed, what is claimed is settled in one transfer.
/// It has no constructor and no immutables, so that its code can be placed at the published address.
contract BatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }
    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }
    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }
    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }
    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }
    struct Receiver {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant CHANNEL_CONFIG_TYPEHASH =
        keccak256(
            "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
        );
    bytes32 private constant VOUCHER_TYPE = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPE = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant CLAIM_TYPE =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant CLAIMS_TYPE =
        keccak256(
            "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
        );
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    uint40 private constant LEAST_DELAY = 15 minutes;
    uint40 private constant MOST_DELAY = 30 days;

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => Receiver)) public receivers;

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 balance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 totalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error InvalidChannel();
    error InvalidSignature();
    error InvalidAmount();
    error NotAllowed();
    error DepositMissing();
    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error WrongNonce();
    error NoWithdrawal();
    error WithdrawalPending();
    error TooEarly();

    /// Several calls in one transaction; all of them, or none.
    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory answer) = address(this).delegatecall(data[i]);
            if (!success) {
                assembly {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
            results[i] = answer;
        }
    }

    function deposit(
        ChannelConfig calldata config,
        uint128 amount,
        address collector,
        bytes calldata collectorData
    ) external {
        if (config.payer == address(0) || config.receiver == address(0)) revert InvalidChannel();
        if (config.receiverAuthorizer == address(0) || config.token == address(0)) revert InvalidChannel();
        if (config.withdrawDelay < LEAST_DELAY || config.withdrawDelay > MOST_DELAY) revert InvalidChannel();
        if (amount == 0) revert InvalidAmount();
        bytes32 channelId = getChannelId(config);
        uint256 before = IERC20(config.token).balanceOf(address(this));
        ICollector(collector).collect(config.payer, config.token, amount, channelId, collectorData);
        if (IERC20(config.token).balanceOf(address(this)) != before + amount) revert DepositMissing();
        Channel storage channel = channels[channelId];
        if (channel.balance == 0 && channel.totalClaimed == 0) emit ChannelCreated(channelId, config);
        channel.balance += amount;
        emit Deposited(channelId, msg.sender, amount, channel.balance);
    }

    /// By the receiver or its authorizer, of every row.
    function claim(VoucherClaim[] calldata voucherClaims) external {
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            _requireReceiver(voucherClaims[i].voucher.channel);
            _claim(voucherClaims[i]);
        }
    }

    /// By anybody, with the signature of the one authorizer of all rows.
    function claimWithSignature(VoucherClaim[] calldata voucherClaims, bytes calldata authorizerSignature) external {
        if (voucherClaims.length == 0) revert InvalidAmount();
        address authorizer = voucherClaims[0].voucher.channel.receiverAuthorizer;
        _requireSigned(authorizer, getClaimBatchDigest(voucherClaims), authorizerSignature);
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (voucherClaims[i].voucher.channel.receiverAuthorizer != authorizer) revert NotAllowed();
            _claim(voucherClaims[i]);
        }
    }

    /// Brings all that is claimed for a receiver to it. Nothing where there is nothing.
    function settle(address receiver, address token) external {
        Receiver storage entry = receivers[receiver][token];
        uint128 amount = entry.totalClaimed - entry.totalSettled;
        if (amount == 0) return;
        entry.totalSettled = entry.totalClaimed;
        _send(token, receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        _requirePayer(config);
        bytes32 channelId = getChannelId(config);
        if (amount == 0 || amount > _unclaimed(channelId)) revert InvalidAmount();
        if (pendingWithdrawals[channelId].initiatedAt != 0) revert WithdrawalPending();
        pendingWithdrawals[channelId] = Withdrawal(amount, uint40(block.timestamp));
        emit WithdrawInitiated(channelId, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    /// What is left of the requested amount after the claims that were made meanwhile.
    function finalizeWithdraw(ChannelConfig calldata config) external {
        _requirePayer(config);
        bytes32 channelId = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[channelId];
        if (pending.initiatedAt == 0) revert NoWithdrawal();
        if (block.timestamp < pending.initiatedAt + config.withdrawDelay) revert TooEarly();
        delete pendingWithdrawals[channelId];
        uint128 amount = _least(pending.amount, _unclaimed(channelId));
        _giveBack(config, channelId, amount);
        emit WithdrawFinalized(channelId, msg.sender, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        _requireReceiver(config);
        _refund(config, getChannelId(config), amount);
    }

    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata receiverAuthorizerSignature
    ) external {
        bytes32 channelId = getChannelId(config);
        if (nonce != refundNonce[channelId]) revert WrongNonce();
        _requireSigned(config.receiverAuthorizer, getRefundDigest(channelId, nonce, amount), receiverAuthorizerSignature);
        _refund(config, channelId, amount);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return
            _digest(
                keccak256(
                    abi.encode(
                        CHANNEL_CONFIG_TYPEHASH,
                        config.payer,
                        config.payerAuthorizer,
                        config.receiver,
                        config.receiverAuthorizer,
                        config.token,
                        config.withdrawDelay,
                        config.salt
                    )
                )
            );
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(VOUCHER_TYPE, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(REFUND_TYPE, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata voucherClaims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            Voucher calldata voucher = voucherClaims[i].voucher;
            bytes32 channelId = getChannelId(voucher.channel);
            entries[i] = keccak256(
                abi.encode(CLAIM_TYPE, channelId, voucher.maxClaimableAmount, voucherClaims[i].totalClaimed)
            );
        }
        return _digest(keccak256(abi.encode(CLAIMS_TYPE, keccak256(abi.encodePacked(entries)))));
    }

    /// A total that is not above what was claimed changes nothing.
    function _claim(VoucherClaim calldata row) private {
        ChannelConfig calldata config = row.voucher.channel;
        bytes32 channelId = getChannelId(config);
        bytes32 digest = getVoucherDigest(channelId, row.voucher.maxClaimableAmount);
        if (config.payerAuthorizer == address(0)) _requireSigned(config.payer, digest, row.signature);
        else if (_recover(digest, row.signature) != config.payerAuthorizer) revert InvalidSignature();
        if (row.totalClaimed > row.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        Channel storage channel = channels[channelId];
        if (row.totalClaimed <= channel.totalClaimed) return;
        if (row.totalClaimed > channel.balance) revert ClaimExceedsBalance();
        uint128 amount = row.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = row.totalClaimed;
        receivers[config.receiver][config.token].totalClaimed += amount;
        emit Claimed(channelId, msg.sender, amount, row.totalClaimed);
    }

    /// The nonce grows first, also where nothing is left to give back. A pending withdrawal is less by what was given back.
    function _refund(ChannelConfig calldata config, bytes32 channelId, uint128 amount) private {
        if (amount == 0) revert InvalidAmount();
        refundNonce[channelId] += 1;
        uint128 given = _least(amount, _unclaimed(channelId));
        if (given == 0) return;
        Withdrawal storage pending = pendingWithdrawals[channelId];
        if (pending.amount > given) pending.amount -= given;
        else if (pending.initiatedAt != 0) delete pendingWithdrawals[channelId];
        _giveBack(config, channelId, given);
        emit Refunded(channelId, msg.sender, given);
    }

    function _giveBack(ChannelConfig calldata config, bytes32 channelId, uint128 amount) private {
        Channel storage channel = channels[channelId];
        channel.balance -= amount;
        if (amount > 0) _send(config.token, config.payer, amount);
        if (channel.balance == 0 && channel.totalClaimed == 0) emit ChannelClosed(channelId, config);
    }

    function _unclaimed(bytes32 channelId) private view returns (uint128) {
        Channel storage channel = channels[channelId];
        return channel.balance - channel.totalClaimed;
    }

    function _least(uint128 a, uint128 b) private pure returns (uint128) {
        return a < b ? a : b;
    }

    function _send(address token, address to, uint128 amount) private {
        if (!IERC20(token).transfer(to, amount)) revert InvalidAmount();
    }

    function _requireReceiver(ChannelConfig calldata config) private view {
        if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert NotAllowed();
    }

    function _requirePayer(ChannelConfig calldata config) private view {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert NotAllowed();
    }

    function _digest(bytes32 struct_) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPE,
                keccak256("x402 Batch Settlement"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, struct_));
    }

    /// A plain key signs with 65 bytes; a contract is asked itself.
    function _requireSigned(address signer, bytes32 digest, bytes calldata signature) private view {
        if (signer.code.length == 0) {
            if (_recover(digest, signature) != signer) revert InvalidSignature();
            return;
        }
        (bool success, bytes memory answer) = signer.staticcall(
            abi.encodeCall(IERC1271.isValidSignature, (digest, signature))
        );
        bool valid = success && answer.length >= 32 &&
            abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
        if (!valid) revert InvalidSignature();
    }

    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) revert InvalidSignature();
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        if (uint256(s) > HALF_ORDER || (v != 27 && v != 28)) revert InvalidSignature();
        address signer = ecrecover(digest, v, r, s);
        if (signer == address(0)) revert InvalidSignature();
        return signer;
    }
}
